//! Endpoints: language models elsewhere.

use crate::endpoint::{Endpoint, EndpointCheck, EndpointRow};

commands! {
    EndpointsRequest;

    /// The endpoints that the workspace knows.
    Endpoints {} -> Vec<EndpointRow>;

    /// Keeps an endpoint; a key goes into the system's key ring and stands nowhere else.
    AddEndpoint { endpoint: Endpoint, key: Option<String> } -> EndpointRow;

    /// Confirms that an endpoint is to be used as it was shown.
    ConfirmEndpoint { name: String, definition: String } -> EndpointRow;

    /// Takes an endpoint and its key away.
    RemoveEndpoint { name: String } -> ();

    /// Tries an endpoint with a test sentence.
    CheckEndpoint { name: String } -> EndpointCheck;
}
