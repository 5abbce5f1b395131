//! A page under real keys: Chromium's debugging protocol through its pipe, messages of JSON that end in a zero byte.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Keyboard {
    browser: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Value,
    last: u64,
}

impl Keyboard {
    /// A window of 1280 by 900 with the page in it, loaded.
    pub fn new(browser: &str, profile: &Path, page: &Path) -> Self {
        // The browser reads commands from file 3 and answers into file 4.
        let mut command = Command::new("sh");
        command
            .args(["-c", "exec \"$@\" 3<&0 4>&1 >/dev/null 2>&1", "sh", browser, "--remote-debugging-pipe"])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"])
            .args(["--disable-background-networking", "--disable-component-update", "--window-size=1280,900"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut browser = command.spawn().unwrap();
        let (to, from) = (browser.stdin.take().unwrap(), BufReader::new(browser.stdout.take().unwrap()));
        let mut keyboard = Self { browser, to, from, session: Value::Null, last: 0 };
        let target = keyboard.ask("Target.createTarget", &json!({ "url": "about:blank" }));
        let attached = json!({ "targetId": target["targetId"], "flatten": true });
        keyboard.session = keyboard.ask("Target.attachToTarget", &attached)["sessionId"].clone();
        keyboard.ask("Runtime.enable", &json!({}));
        keyboard.ask("Log.enable", &json!({}));
        keyboard.go(&format!("file://{}", page.display()));
        keyboard
    }

    pub fn go(&mut self, address: &str) {
        self.ask("Page.navigate", &json!({ "url": address }));
        while self.seen("document.readyState") != "complete" {}
    }

    /// A command and its answer. What the page says on the console, or throws, is a failure.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut answer = Vec::new();
            self.from.read_until(0, &mut answer).unwrap();
            assert_eq!(answer.pop(), Some(0), "the browser is gone");
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            let said = answer["method"].as_str().unwrap_or("");
            let loud = ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"];
            assert!(!loud.contains(&said), "the console is not empty: {answer}");
            if answer["id"] == self.last {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// From now on pages are laid out for paper.
    pub fn print(&mut self) {
        self.ask("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    }

    /// And for a screen again.
    pub fn screen(&mut self) {
        self.ask("Emulation.setEmulatedMedia", &json!({ "media": "" }));
    }

    /// What an expression of the page is worth.
    pub fn seen(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        self.ask("Runtime.evaluate", &params)["result"]["value"].clone()
    }

    /// One key, down and up: Tab, Enter, Escape, ArrowDown, or a character.
    pub fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            "Escape" => (27, ""),
            "ArrowDown" => (40, ""),
            character => (0, character),
        };
        let kind = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        let down = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code, "text": text });
        self.ask("Input.dispatchKeyEvent", &down);
        self.ask("Input.dispatchKeyEvent", &json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }));
    }

    pub fn write(&mut self, text: &str) {
        for character in text.chars() {
            self.press(&character.to_string());
        }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        // The pipe's end would end the browser, too, but later than the folder of its profile.
        self.browser.kill().unwrap_or(());
        drop(self.browser.wait());
    }
}
