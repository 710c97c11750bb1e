//! Page images: `page://localhost/DOCUMENT/PAGE?dpi=N`. The parser process draws them; no PDF reaches the web view.

use crate::shell::Shell;
use lexforge_domain::{Code, DocumentId, Failure};
use std::borrow::Cow;
use tauri::http::{Request, Response, StatusCode, Uri, header};
use tauri::{Manager, UriSchemeContext, UriSchemeResponder, Wry};

/// Resolutions that are drawn, in dots per inch.
const RESOLUTIONS: std::ops::RangeInclusive<f32> = 36.0..=432.0;

/// Answers a request for a page's image.
pub fn serve(
    context: UriSchemeContext<'_, Wry>,
    request: Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    let shell = context
        .app_handle()
        .try_state::<Shell>()
        .map(|shell| shell.inner().clone());
    tauri::async_runtime::spawn_blocking(move || {
        responder.respond(match draw(shell.as_ref(), request.uri()) {
            // The address carries the document's hash, so that an image never changes under it.
            Ok(png) => answer(StatusCode::OK, "image/png", Cow::Owned(png)),
            Err(failure) => {
                let status = if failure.code == Code::NotFound {
                    StatusCode::NOT_FOUND
                } else {
                    StatusCode::BAD_REQUEST
                };
                answer(
                    status,
                    "text/plain; charset=utf-8",
                    Cow::Owned(failure.to_string().into_bytes()),
                )
            }
        });
    });
}

fn draw(shell: Option<&Shell>, uri: &Uri) -> Result<Vec<u8>, Failure> {
    let (document, page, dpi) =
        wanted(uri.path(), uri.query().unwrap_or_default()).ok_or_else(|| {
            Failure::new(
                Code::InvalidRequest,
                "The address names no page.",
                "Use DOCUMENT/PAGE?dpi=N.",
            )
        })?;
    let shell = shell.ok_or_else(|| {
        Failure::new(
            Code::WorkspaceMissing,
            "No workspace is open.",
            "Open a workspace, or create one.",
        )
    })?;
    shell.engine()?.corpus().page_image(document, page, dpi)
}

/// Document, page and resolution of an address.
fn wanted(path: &str, query: &str) -> Option<(DocumentId, u32, f32)> {
    let mut parts = path.trim_matches('/').split('/');
    let document = parts.next()?.parse().ok()?;
    let page = parts.next()?.parse().ok().filter(|page| *page > 0)?;
    let dpi = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("dpi="))
        .map_or(Some(144.0), |dpi| dpi.parse().ok())?;
    (parts.next().is_none() && RESOLUTIONS.contains(&dpi)).then_some((document, page, dpi))
}

fn answer(
    status: StatusCode,
    kind: &str,
    body: Cow<'static, [u8]>,
) -> Response<Cow<'static, [u8]>> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    if let Ok(kind) = kind.parse() {
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_document_page_and_resolution() {
        let check = |path: &str, query: &str, expected: Option<(i64, u32, f32)>| {
            assert_eq!(
                wanted(path, query),
                expected.map(|(d, p, r)| (DocumentId(d), p, r)),
                "{path}?{query}"
            );
        };
        check("/3/12", "dpi=96", Some((3, 12, 96.0)));
        check("/3/12", "dpi=96&of=0f3a", Some((3, 12, 96.0)));
        check("/3/12", "", Some((3, 12, 144.0)));
        check("/3/0", "dpi=96", None);
        check("/3/1/2", "dpi=96", None);
        check("/3/1", "dpi=5000", None);
        check("/../1", "dpi=96", None);
        check("", "", None);
    }
}
