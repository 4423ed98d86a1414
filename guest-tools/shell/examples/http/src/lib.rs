//! A server that runs the body of each `POST` as a script, in a sandbox of its own, and answers what it prints.

use wstd::http::{Body, Error, Method, Request, Response, StatusCode};

wit_bindgen::generate!({
    path: "../../../../wit",
    inline: "package example:http; world server { import offshoot:sandbox/sandbox@0.1.0; }",
    world: "example:http/server",
    generate_all,
});

use offshoot::sandbox::sandbox::{ExecOptions, Options, Sandbox};

#[wstd::http_server]
async fn main(request: Request<Body>) -> Result<Response<Body>, Error> {
    if request.method() != Method::POST {
        return answer(StatusCode::METHOD_NOT_ALLOWED, "POST a script\n");
    }
    let mut body = request.into_body();
    let Ok(script) = body.str_contents().await else {
        return answer(StatusCode::BAD_REQUEST, "a script is UTF-8\n");
    };
    match run(script) {
        Ok((status, output)) => {
            let response = Response::builder().header("exit-status", u16::from(status));
            Ok(response.body(output.into())?)
        }
        Err(error) => answer(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error}\n")),
    }
}

/// The exit status of the script, and what it printed. Its sandbox ends with it.
fn run(script: &str) -> Result<(u8, Vec<u8>), offshoot::sandbox::sandbox::Error> {
    let sandbox = Sandbox::create(&Options {
        environment: Vec::new(),
        directory: None,
        max_bytes: Some(16 << 20),
        max_inodes: None,
        budgets: None,
        seed: None,
    })?;
    let options = ExecOptions {
        directory: None,
        environment: Vec::new(),
        stdin: Vec::new(),
        timeout_ms: Some(10_000),
    };
    let result = sandbox.exec(&format!("exec 2>&1\n{script}"), &options)?;
    Ok((result.status, result.stdout))
}

fn answer(status: StatusCode, text: &str) -> Result<Response<Body>, Error> {
    Ok(Response::builder()
        .status(status)
        .body(text.to_owned().into())?)
}
