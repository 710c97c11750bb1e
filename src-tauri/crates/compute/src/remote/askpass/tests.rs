//! Tests of `askpass`.

use super::*;
use std::time::Instant;

fn desk() -> Arc<Desk> {
    let (desk, listener) = Desk::open("x".into(), |_| ()).unwrap();
    let serving = Arc::clone(&desk);
    std::thread::spawn(move || serving.serve(&listener));
    desk
}

fn asked(secret: &str, words: &str) -> Asked {
    Asked {
        secret: secret.to_owned(),
        host: "box".into(),
        hint: String::new(),
        words: words.to_owned(),
    }
}

fn question(desk: &Desk) -> SshQuestion {
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(10) {
        if let Some(question) = desk.questions().pop() {
            return question;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("nothing is asked");
}

#[test]
fn an_answer_finds_its_question() {
    let desk = desk();
    for (answer, declined) in [(Some("open sesame".to_owned()), 0), (None, 1)] {
        let (address, secret) = (desk.address, desk.secret.clone());
        let asking = std::thread::spawn(move || {
            ask(address, &asked(&secret, "me@box's password: ")).unwrap()
        });
        let question = question(&desk);
        assert_eq!(
            (question.host.as_str(), &question.asks),
            ("box", &SshAsks::Password)
        );
        desk.answer(question.id, answer.clone()).unwrap();
        assert_eq!(asking.join().unwrap(), answer);
        assert_eq!(held(&desk.declined).len(), declined);
    }
}

#[test]
fn a_host_key_is_confirmed_by_its_fingerprint_alone() {
    let desk = desk();
    let (address, secret) = (desk.address, desk.secret.clone());
    let words = "The authenticity of host 'box' can't be established.\nRSA key fingerprint is SHA256:abc.\n";
    let asking = std::thread::spawn(move || ask(address, &asked(&secret, words)).unwrap());
    let id = question(&desk).id;
    for wrong in ["yes", "SHA256:abd", ""] {
        let failure = desk.answer(id, Some(wrong.into())).unwrap_err();
        assert_eq!(failure.code, Code::InvalidRequest, "{wrong}");
    }
    desk.answer(id, Some("SHA256:abc".into())).unwrap();
    assert_eq!(asking.join().unwrap().as_deref(), Some("SHA256:abc"));
}

#[test]
fn whoever_has_not_the_secret_asks_nothing() {
    let desk = desk();
    let secret = "0".repeat(desk.secret.len());
    assert!(ask(desk.address, &asked(&secret, "Password: ")).is_err());
    assert!(ask(desk.address, &asked("", "Password: ")).is_err());
    assert_eq!(desk.questions().len(), 0);
}

#[test]
fn a_question_goes_with_the_one_who_asked() {
    let desk = desk();
    let mut stream = TcpStream::connect(desk.address).unwrap();
    let text = serde_json::json!(asked(&desk.secret, "Verification code: "));
    stream.write_all(format!("{text}\n").as_bytes()).unwrap();
    let id = question(&desk).id;
    drop(stream);
    let since = Instant::now();
    while !desk.questions().is_empty() {
        assert!(since.elapsed() < Duration::from_secs(10), "it stays");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(
        desk.answer(id, Some("1".into())).unwrap_err().code,
        Code::NotFound
    );
}
