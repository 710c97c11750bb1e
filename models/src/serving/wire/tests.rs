//! Tests of `wire`.

use super::*;

fn chat(fields: &str) -> Result<Asked, Refusal> {
    let text = format!(r#"{{"model":"m","messages":[{{"role":"user","content":"q"}}]{fields}}}"#);
    parsed::<ChatRequest>(text.as_bytes())?.asked()
}

#[test]
fn fields_are_read_as_openai_means_them() {
    let asked = chat("").unwrap();
    assert_eq!(
        (
            asked.count,
            asked.most,
            asked.sampling.temperature,
            asked.logprobs
        ),
        (1, None, 1.0, None)
    );
    let asked =
        chat(r#","max_tokens":3,"max_completion_tokens":5,"stop":"x","seed":-1,"top_k":-1"#)
            .unwrap();
    assert_eq!(
        (asked.most, asked.seed, asked.sampling.top_k),
        (Some(5), u64::MAX, 0)
    );
    assert_eq!(asked.stops, ["x"]);
    let asked =
        chat(r#","tools":[],"logit_bias":null,"user":"u","logprobs":true,"top_logprobs":2"#)
            .unwrap();
    assert_eq!(asked.logprobs, Some(2));
    let parts = br#"{"model":"m","messages":[{"role":"developer","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]}"#;
    let asked = parsed::<ChatRequest>(parts).unwrap().asked().unwrap();
    assert_eq!(
        asked.messages,
        [Message {
            role: Role::System,
            content: "ab".into()
        }]
    );
}

#[test]
fn what_is_not_understood_is_refused_by_name() {
    let check = |fields: &str, code: &str, named: &str| {
        let refusal = chat(fields).unwrap_err();
        assert_eq!((refusal.status, refusal.code), (400, code), "{fields}");
        assert!(refusal.message.contains(named), "{}", refusal.message);
    };
    check(
        r#","tools":[{"type":"function"}]"#,
        "unsupported_parameter",
        "tools",
    );
    check(
        r#","logit_bias":{"1":2}"#,
        "unsupported_parameter",
        "logit_bias",
    );
    check(r#","temperature":3"#, "invalid_request", "temperature");
    check(r#","top_p":-0.1"#, "invalid_request", "top_p");
    check(r#","n":0"#, "invalid_request", "n must");
    check(r#","max_tokens":0"#, "invalid_request", "max_tokens");
    check(r#","max_tokens":"many""#, "invalid_request", "many");
    check(
        r#","response_format":{"type":"xml"}"#,
        "unsupported_parameter",
        "xml",
    );
    check(
        r#","response_format":{"type":"json_schema"}"#,
        "invalid_schema",
        "schema",
    );
    assert_eq!(
        parsed::<ChatRequest>(b"{").unwrap_err().code,
        "invalid_json"
    );
    assert_eq!(
        parsed::<ChatRequest>(b"{\"model\":\"\xff\"}")
            .unwrap_err()
            .code,
        "invalid_utf8"
    );
    assert_eq!(
        parsed::<ChatRequest>(b"{}").unwrap_err().code,
        "invalid_request"
    );
}

#[test]
fn embedding_input_is_text() {
    let texts = |fields: &str| {
        let text = format!(r#"{{"model":"m",{fields}}}"#);
        parsed::<EmbedRequest>(text.as_bytes())?.texts()
    };
    let one = |base64, asking| EmbedTexts {
        texts: vec!["a".into()],
        asking,
        base64,
    };
    assert_eq!(texts(r#""input":"a""#), Ok(one(false, false)));
    assert_eq!(
        texts(r#""input":["a"],"encoding_format":"base64","input_type":"query""#),
        Ok(one(true, true))
    );
    for bad in [
        r#""input":[]"#,
        r#""input":[1,2]"#,
        r#""input":["a",""]"#,
        r#""input":"a","encoding_format":"x""#,
    ] {
        assert_eq!(texts(bad).unwrap_err().code, "invalid_request", "{bad}");
    }
}
