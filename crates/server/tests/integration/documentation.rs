//! The `OpenAPI` document against the routes.

use axum::http::StatusCode;

use crate::client::{Client, router};

#[tokio::test]
async fn every_documented_route_exists() {
    let mut anna = Client::new(&router());
    let document = anna.get("/api/openapi.json").await.body;
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() > 15, "{paths:?}");
    for (path, methods) in paths {
        let path = path
            .replace("{id}", "1")
            .replace("{name}", "english")
            .replace("{number}", "1");
        for method in methods.as_object().unwrap().keys() {
            let answer = match method.as_str() {
                "get" if path == "/api/bot/stream" => continue, // a stream has no end
                "get" => anna.get(&path).await,
                "post" => anna.post(&path, serde_json::json!({})).await,
                "delete" => anna.delete(&path).await,
                other => panic!("an unexpected method: {other}"),
            };
            assert_ne!(
                answer.status,
                StatusCode::METHOD_NOT_ALLOWED,
                "{method} {path}"
            );
            let unknown = answer.status == StatusCode::NOT_FOUND && answer.body.is_null();
            assert!(!unknown, "{method} {path} is documented but missing");
        }
    }
}

#[tokio::test]
async fn every_operation_says_what_it_does_and_answers() {
    let mut anna = Client::new(&router());
    let document = anna.get("/api/openapi.json").await.body;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let summary = operation["summary"].as_str().unwrap_or_default();
            assert!(!summary.is_empty(), "{method} {path} has no summary");
            let responses = operation["responses"].as_object().unwrap();
            assert!(!responses.is_empty(), "{method} {path} has no responses");
            let parameters = operation["parameters"].as_array();
            let in_path = parameters.into_iter().flatten();
            let in_path = in_path.filter(|parameter| parameter["in"] == "path");
            assert_eq!(
                in_path.count(),
                path.matches('{').count(),
                "{method} {path}"
            );
            let has_body = operation.get("requestBody").is_some();
            assert_eq!(has_body, method == "post", "{method} {path}");
        }
    }
}
