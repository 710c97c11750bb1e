//! Pictures of the screens, and what a look at them would find first: nothing stands out of its place.
//!
//! A theme changes only colours (`ui/src/contrast.rs` checks that), so that one theme tells for both whether something
//! stands out. Without pictures, a state is walked in each language at each size, and the themes take turns. The whole
//! screens are walked in both themes in any case.

use crate::window::axe;
use crate::window::driver::{Window, pictures_are_wanted};

/// A size, a language and a theme.
type View = ((u32, u32), &'static str, &'static str);

const SIZES: [(u32, u32); 2] = [LARGE, SMALL];
const LARGE: (u32, u32) = (1440, 900);
const SMALL: (u32, u32) = (1180, 760);
/// Both languages and themes at both sizes. Little changes from one to the next, since a new size takes the longest.
const VIEWS: [View; 8] = [
    (LARGE, "en", "light"),
    (LARGE, "en", "dark"),
    (LARGE, "zh", "dark"),
    (LARGE, "zh", "light"),
    (SMALL, "zh", "light"),
    (SMALL, "zh", "dark"),
    (SMALL, "en", "dark"),
    (SMALL, "en", "light"),
];
/// Both languages at both sizes, in one theme or the other.
const PLACES: [View; 4] = [
    (LARGE, "en", "light"),
    (LARGE, "zh", "dark"),
    (SMALL, "zh", "dark"),
    (SMALL, "en", "light"),
];
const SCREENS: [&str; 10] = [
    "library",
    "terms",
    "graph",
    "questions",
    "training",
    "evaluation",
    "ask",
    "match",
    "activity",
    "settings",
];

/// The views in which a state is walked.
fn views() -> &'static [View] {
    if pictures_are_wanted() {
        &VIEWS
    } else {
        &PLACES
    }
}

/// The screen as it is, at the size of work; a picture of it in each theme.
pub async fn of_screen(window: &Window, name: &str) {
    let themes: &[&str] = if pictures_are_wanted() {
        &["dark", "light"]
    } else {
        &["light"]
    };
    for theme in themes {
        window.paint(theme).await;
        window.resize(SMALL.0, SMALL.1).await;
        window.picture(&format!("{name}-{theme}")).await;
        nothing_stands_out(window, name).await;
        if pictures_are_wanted() {
            axe::nothing_is_broken(window, &format!("{name}, {theme}")).await;
        }
    }
    window.resize(LARGE.0, LARGE.1).await;
}

/// Every screen in both languages and themes and at both sizes.
pub async fn of_all_screens(window: &Window) {
    for language in ["en", "zh"] {
        window.speak(language).await;
        let mut sizes = SIZES;
        for screen in SCREENS {
            window.go(screen).await;
            settle(window, screen).await;
            for ((width, height), themes) in sizes
                .into_iter()
                .zip([["light", "dark"], ["dark", "light"]])
            {
                window.resize(width, height).await;
                for theme in themes {
                    window.paint(theme).await;
                    window
                        .picture(&format!("{screen}-{language}-{theme}-{width}"))
                        .await;
                    nothing_stands_out(window, screen).await;
                }
            }
            // The next screen begins with the size that is there.
            sizes.reverse();
        }
    }
}

/// The training screen as it is, in both languages and themes and at both sizes.
pub async fn of_training(window: &Window) {
    for &(size, language, theme) in views() {
        view(window, size, language, theme).await;
        settle(window, "training").await;
        window
            .picture(&format!("training-compared-{language}-{theme}-{}", size.0))
            .await;
        nothing_stands_out(window, "training").await;
    }
}

/// A part of the review as it is, in both languages and themes and at both sizes.
pub async fn of_review(window: &Window, name: &str) {
    of_state(window, &format!("review-{name}")).await;
}

/// Takes pictures of a part of the graph in both languages, both themes and both sizes. `misplaced` is a script that
/// lists misplaced elements.
pub async fn of_graph(window: &Window, name: &str, misplaced: &str) {
    for &(size, language, theme) in views() {
        view(window, size, language, theme).await;
        window
            .until(name, 20, "return !document.querySelector('.main .skel')")
            .await;
        let width = size.0;
        window
            .picture(&format!("graph-{name}-{language}-{theme}-{width}"))
            .await;
        nothing_stands_out(window, name).await;
        assert_eq!(
            window.ask(misplaced).await,
            "",
            "{name} {language} {theme} {width}"
        );
    }
    window.resize(LARGE.0, LARGE.1).await;
}

/// A state of the screen of questions and answers, in both languages and themes and at both sizes.
pub async fn of_answer(window: &Window, name: &str) {
    of_state(window, &format!("ask-{name}")).await;
}

/// A state of the screen of rules and policies, in both languages and themes and at both sizes.
pub async fn of_match(window: &Window, name: &str) {
    of_state(window, &format!("match-{name}")).await;
}

/// Systems side by side, in both languages and themes and at both sizes.
pub async fn of_bench(window: &Window) {
    of_state(window, "evaluation-bench").await;
}

/// What a judge said of what systems wrote, in both languages and themes and at both sizes.
pub async fn of_judge(window: &Window) {
    window
        .run("document.querySelector('#bench-written').scrollIntoView()")
        .await;
    of_state(window, "evaluation-bench-judged").await;
}

/// A state of drift, in both languages and themes and at both sizes.
pub async fn of_drift(window: &Window, name: &str) {
    of_state(window, &format!("evaluation-drift-{name}")).await;
}

async fn of_state(window: &Window, name: &str) {
    for &(size, language, theme) in views() {
        view(window, size, language, theme).await;
        // A page's image comes anew for another size.
        let there = "return !document.querySelector('.main .skel') && [...document.images].every(i => i.complete)";
        window.until(name, 20, there).await;
        window
            .picture(&format!("{name}-{language}-{theme}-{}", size.0))
            .await;
        nothing_stands_out(window, name).await;
    }
    window.resize(LARGE.0, LARGE.1).await;
}

/// Gives the window a size, a language and a theme.
async fn view(window: &Window, (width, height): (u32, u32), language: &str, theme: &str) {
    window.speak(language).await;
    window.paint(theme).await;
    window.resize(width, height).await;
}

/// Waits for what the screen loads when it is opened.
async fn settle(window: &Window, screen: &str) {
    let there = match screen {
        "library" => {
            "const i = document.querySelector('#page-image'); return !!i && i.complete && i.naturalWidth > 0"
        }
        "settings" => "return !!document.querySelector('.settings-list')",
        "evaluation" => "return !!document.querySelector('#comparisons')",
        "terms" | "questions" => {
            "return document.querySelectorAll('.grid-row .law').length > 5 || !!document.querySelector('#item-title')"
        }
        _ => "return !document.querySelector('.skel')",
    };
    window.until(screen, 60, there).await;
}

/// The page does not scroll sideways, and no bar of the frame is wider than its place.
async fn nothing_stands_out(window: &Window, screen: &str) {
    let wide = "const out = ['html', '.head', '.topbar', '.pane-head', '.rail', '.page-body', '.part', '.sent', '.cand', '.keyin', '.card', '.m-bar', '.m-rule', '.m-row', '.m-chap', '.m-strip', '.side section'] \
        .flatMap(s => [...document.querySelectorAll(s)].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => s + ': ' + e.innerText.slice(0, 60))); \
        return out.join('; ')";
    assert_eq!(window.ask(wide).await, "", "{screen}");
}
