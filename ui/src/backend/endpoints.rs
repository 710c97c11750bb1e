//! Commands about endpoints.

use super::{Answer, call};
use lexforge_domain::endpoint::{Endpoint, EndpointCheck, EndpointRow};
use serde_json::json;

/// The endpoints that the workspace knows.
pub async fn endpoints() -> Answer<Vec<EndpointRow>> {
    call("endpoints", json!({})).await
}

/// Keeps an endpoint; a key goes into the system's key ring.
pub async fn add_endpoint(endpoint: &Endpoint, key: Option<&str>) -> Answer<EndpointRow> {
    call("add_endpoint", json!({ "endpoint": endpoint, "key": key })).await
}

/// Confirms an endpoint as it was shown.
pub async fn confirm_endpoint(name: &str, definition: &str) -> Answer<EndpointRow> {
    call("confirm_endpoint", json!({ "name": name, "definition": definition })).await
}

/// Takes an endpoint and its key away.
pub async fn remove_endpoint(name: &str) -> Answer<()> {
    call("remove_endpoint", json!({ "name": name })).await
}

/// Tries an endpoint with a test sentence.
pub async fn check_endpoint(name: &str) -> Answer<EndpointCheck> {
    call("check_endpoint", json!({ "name": name })).await
}
