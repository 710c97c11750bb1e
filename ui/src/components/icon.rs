//! Signs, drawn as strokes on a field of 16 by 16.

use leptos::prelude::*;

macro_rules! icons {
    ($($name:ident $strokes:literal),+ $(,)?) => {
        /// A sign.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Icon { $($name),+ }

        impl Icon {
            fn strokes(self) -> &'static str {
                match self { $(Self::$name => $strokes),+ }
            }
        }
    };
}

icons! {
    Ask r#"<circle cx="7" cy="7" r="4.5"/><path d="M10.3 10.3 14 14M5.2 6.2h3.6M5.2 8h2.4"/>"#,
    Books r#"<path d="M2.5 3h3v10h-3zM5.5 3h3v10h-3zM9.3 3.4l2.8-.8 2.4 9.7-2.8.7z"/>"#,
    Check r#"<path d="m3 8.5 3.2 3.2L13 4.8"/>"#,
    Chip r#"<rect x="4" y="4" width="8" height="8" rx="1"/><path d="M6.5 1.8V4m3-2.2V4m-3 8v2.2m3-2.2v2.2M1.8 6.5H4M1.8 9.5H4m8-3h2.2M12 9.5h2.2"/>"#,
    Close r#"<path d="m4 4 8 8M12 4l-8 8"/>"#,
    Clock r#"<circle cx="8" cy="8" r="6"/><path d="M8 4.6V8l2.4 1.6"/>"#,
    Curve r#"<path d="M2 13.5h12M2.5 3c1 5 3 7.5 11 8"/>"#,
    Down r#"<path d="m4 6 4 4 4-4"/>"#,
    File r#"<path d="M4 1.8h5.2L12.5 5v9.2H4zM9 1.8v3.4h3.5"/>"#,
    Filter r#"<path d="M2 3.5h12M4.5 8h7M6.8 12.5h2.4"/>"#,
    Folder r#"<path d="M2 4.2h4l1.4 1.6H14v7H2z"/>"#,
    Globe r#"<circle cx="8" cy="8" r="6"/><path d="M2 8h12M8 2c2.2 2 2.2 10 0 12M8 2c-2.2 2-2.2 10 0 12"/>"#,
    Graph r#"<circle cx="8" cy="8" r="2"/><circle cx="2.8" cy="4" r="1.3"/><circle cx="13.2" cy="4" r="1.3"/><circle cx="8" cy="14" r="1.3"/><path d="m4 4.8 2.4 2M12 4.8l-2.4 2M8 10v2.7"/>"#,
    Half r#"<circle cx="8" cy="8" r="5.5"/><path d="M8 2.5v11a5.5 5.5 0 0 0 0-11z" fill="currentColor"/>"#,
    Info r#"<circle cx="8" cy="8" r="6"/><path d="M8 7.4v3.8M8 5v.1"/>"#,
    Keys r#"<rect x="1.8" y="4" width="12.4" height="8" rx="1.4"/><path d="M4.2 6.6h.1m2.3 0h.1m2.4 0h.1m2.4 0h.1M5 9.6h6"/>"#,
    Left r#"<path d="M10 4 6 8l4 4"/>"#,
    Link r#"<path d="m6.5 9.5 3-3M7 4.8l1.2-1.2a2.5 2.5 0 0 1 3.5 3.5l-1.2 1.3M9 11.2l-1.2 1.2a2.5 2.5 0 0 1-3.5-3.5l1.2-1.3"/>"#,
    Lock r#"<rect x="3.5" y="7" width="9" height="6.5" rx="1.2"/><path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2"/>"#,
    Match r#"<rect x="1.8" y="3" width="4.4" height="10" rx="1"/><rect x="9.8" y="3" width="4.4" height="10" rx="1"/><path d="M6.2 6h3.6m-3.6 4h3.6"/>"#,
    Merge r#"<path d="M4 2.5v3c0 2 4 2.5 4 5v3m4-11v3c0 2-4 2.5-4 5"/>"#,
    Minus r#"<path d="M3 8h10"/>"#,
    Moon r#"<path d="M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6z"/>"#,
    Out r#"<path d="M6.5 3.5h-3v9h9v-3M9.5 3h3.5v3.5M13 3 7.5 8.5"/>"#,
    Pause r#"<path d="M5.5 3.5v9m5-9v9"/>"#,
    Play r#"<path d="M5 3.2v9.6L12.5 8z"/>"#,
    Plus r#"<path d="M8 3v10M3 8h10"/>"#,
    Pulse r#"<path d="M1.5 8h3l2-5 3 10 2-5h3"/>"#,
    Question r#"<path d="M3 2.5h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H7L4 14v-2.5H3a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1z"/><path d="M6.6 5.6c.2-.8.8-1.1 1.5-1.1.9 0 1.5.5 1.5 1.2 0 1-1.5 1.1-1.5 2m0 1.7v.1"/>"#,
    Right r#"<path d="m6 4 4 4-4 4"/>"#,
    Ring r#"<circle cx="8" cy="8" r="5.5" stroke-dasharray="2.6 2.2"/>"#,
    Scales r#"<path d="M8 2v12m-3 0h6M3 4.5h10M3.5 4.5 1.8 9h3.4zm9 0L10.8 9h3.4z"/>"#,
    Screen r#"<rect x="2" y="3" width="12" height="8" rx="1"/><path d="M5.5 13.5h5"/>"#,
    Search r#"<circle cx="7" cy="7" r="4.5"/><path d="M10.3 10.3 14 14"/>"#,
    Shield r#"<path d="m8 1.8 5 1.8v4c0 3.2-2 5.4-5 6.6-3-1.2-5-3.4-5-6.6v-4z"/>"#,
    Sliders r#"<path d="M2 4.5h7m3 0h2M2 11.5h2m3 0h7"/><circle cx="10.5" cy="4.5" r="1.5"/><circle cx="5.5" cy="11.5" r="1.5"/>"#,
    Stop r#"<rect x="4" y="4" width="8" height="8" rx="1"/>"#,
    Sun r#"<circle cx="8" cy="8" r="2.8"/><path d="M8 1.5v1.3m0 10.4v1.3M1.5 8h1.3m10.4 0h1.3M3.4 3.4l.9.9m7.4 7.4.9.9m-9.2 0 .9-.9m7.4-7.4.9-.9"/>"#,
    Terms r#"<path d="M3 4h10M3 8h6m-6 4h4m3.5-.5L12 13l2.5-3.5"/>"#,
    Undo r#"<path d="M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M5.5 3.5l-3 3 3 3"/>"#,
    Unequal r#"<path d="M3 6h10M3 10h10M10.5 3l-5 10"/>"#,
    Up r#"<path d="M8 13V3.5M4 7.2l4-4 4 4"/>"#,
    Warning r#"<path d="M8 2.2 14.4 13H1.6zM8 6.4v3m0 1.9v.1"/>"#,
}

/// A sign at text size. Screen readers ignore it.
#[component]
pub fn Sign(
    icon: Icon,
    /// Smaller, for badges and captions.
    #[prop(optional)]
    small: bool,
) -> impl IntoView {
    let class = if small { "i sm" } else { "i" };
    view! { <svg class=class viewBox="0 0 16 16" aria-hidden="true" inner_html=icon.strokes()></svg> }
}
