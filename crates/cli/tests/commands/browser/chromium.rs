//! A browser without a window, and its tabs: Debian's `chromium`, told what to do through a pipe.
//!
//! The protocol is that of its developer tools: JSON, with a zero byte behind each message.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// The browser answers long before this, also on a machine with much else to do.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser, which ends with this process at the latest.
pub(super) struct Chromium {
    process: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    last: u64,
    events: Vec<Value>,
    session: String,
    _profile: TempDir,
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Chromium {
    /// Starts the browser with a tab, unless this machine has none.
    pub(super) fn start() -> Option<Chromium> {
        let is_there = Command::new("chromium").arg("--version").output();
        if !is_there.is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: there is no chromium; `cargo xtask setup` installs it");
            return None;
        }
        let profile = tempfile::tempdir().unwrap();
        // The browser reads from descriptor 3 and writes to descriptor 4.
        let script = "exec chromium \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null";
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh", "--headless", "--remote-debugging-pipe", "--no-sandbox"]);
        command.args(["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]);
        command.args(["--disable-background-networking", "--disable-component-update"]);
        command.args(["--disable-dev-shm-usage", "--hide-scrollbars", "--disable-extensions"]);
        command.arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let (to, out) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let (tell, from) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(out).split(0) {
                let Ok(message) = message else { return };
                if tell.send(serde_json::from_slice(&message).unwrap()).is_err() {
                    return;
                }
            }
        });
        let (events, session) = (Vec::new(), String::new());
        let mut browser =
            Chromium { process, to, from, last: 0, events, session, _profile: profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = browser.call(
            "Target.attachToTarget",
            json!({ "targetId": target["targetId"], "flatten": true }),
        );
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Asks for something, and waits for the answer.
    pub(super) fn call(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let answer = self.from.recv_timeout(PATIENCE).expect("the browser answers");
            if answer["id"] == json!(self.last) {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            if answer["method"].is_string() {
                self.events.push(answer);
            }
        }
    }

    /// Loads a page, and waits until it is there.
    pub(super) fn open(&mut self, url: &str) {
        let is_load = |event: &Value| event["method"] == "Page.loadEventFired";
        self.events.retain(|event| !is_load(event));
        let answer = self.call("Page.navigate", json!({ "url": url }));
        assert!(answer["errorText"].is_null(), "{url}: {answer}");
        if answer["loaderId"].is_null() {
            // Only the fragment is another one.
            return;
        }
        self.wait_for(is_load);
    }

    /// Does something that leads to another page, and waits until it is there.
    pub(super) fn leave(&mut self, how: impl FnOnce(&mut Chromium)) {
        let is_load = |event: &Value| event["method"] == "Page.loadEventFired";
        self.events.retain(|event| !is_load(event));
        how(self);
        self.wait_for(is_load);
    }

    fn wait_for(&mut self, is_it: impl Fn(&Value) -> bool) {
        while !self.events.iter().any(&is_it) {
            let event = self.from.recv_timeout(PATIENCE).expect("the page is loaded");
            self.events.push(event);
        }
        // The script acts in the next frame.
        self.value("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))");
    }

    /// The value of an expression in the page.
    pub(super) fn value(&mut self, expression: &str) -> Value {
        let params = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true,
        });
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    pub(super) fn text(&mut self, expression: &str) -> String {
        self.value(expression).as_str().unwrap_or_default().to_owned()
    }

    /// Presses a key, and lets the page act on it.
    pub(super) fn press(&mut self, key: &str) {
        self.press_only(key);
        self.value("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))");
    }

    /// Presses a key that leads to another page.
    pub(super) fn press_only(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let mut params = json!({ "type": kind, "key": key });
            if key.chars().count() == 1 && kind == "keyDown" {
                params["text"] = json!(key);
            }
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// Sets the colours and the width.
    pub(super) fn set_look(&mut self, scheme: &str, width: u32) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.call("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
        let metrics = json!({
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false,
        });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Stores what is seen, if `EVERETT_SCREENSHOTS` names a folder for it.
    pub(super) fn photograph(&mut self, name: &str) {
        use base64::Engine;
        let Some(folder) = std::env::var_os("EVERETT_SCREENSHOTS") else { return };
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let data = shot["data"].as_str().unwrap();
        let png = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
        std::fs::write(std::path::Path::new(&folder).join(format!("{name}.png")), png).unwrap();
    }

    /// Checks that nothing has gone wrong since the last time, and that nothing was asked for but addresses
    /// that begin like this.
    pub(super) fn expect_calm(&mut self, allowed: &str) {
        for event in std::mem::take(&mut self.events) {
            let params = &event["params"];
            match event["method"].as_str().unwrap_or_default() {
                "Runtime.exceptionThrown" | "Page.javascriptDialogOpening" => panic!("{event}"),
                "Runtime.consoleAPICalled" => panic!("{event}"),
                "Log.entryAdded" => {
                    let text = params["entry"]["text"].as_str().unwrap_or_default();
                    let url = params["entry"]["url"].as_str().unwrap_or_default();
                    // Asked for by the browser, not by the page.
                    assert!(url.ends_with("/favicon.ico"), "{text} {event}");
                }
                "Network.requestWillBeSent" => {
                    let url = params["request"]["url"].as_str().unwrap();
                    let is_own = url.starts_with(allowed) || url == "about:blank";
                    assert!(is_own || url.ends_with("/favicon.ico"), "{url} is asked for");
                }
                _ => {}
            }
        }
    }
}
