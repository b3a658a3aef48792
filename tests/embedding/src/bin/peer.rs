//! Explores a program that talks to a service, which is a part of this tool.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use everett_explorer::{
    Clang, CompilerName, CompilerSettings, Exploration, Finding, Observer, PeerAction, PeerEvent,
    ProgramFiles, ScriptedPeer,
};

struct Printer;

impl Observer for Printer {
    fn finding(&mut self, finding: &Finding) {
        println!("{} on {}: {}", finding.kind, finding.node, finding.message);
    }
}

/// An account with 5 coins, from which amounts are taken.
fn bank() -> ScriptedPeer {
    ScriptedPeer::new(|| {
        let mut coins = 5;
        Box::new(move |action| match action {
            Some(PeerAction::Send(connection, amounts)) => {
                coins -= amounts.iter().map(|digit| i32::from(*digit) - 48).sum::<i32>();
                vec![PeerEvent::Bytes(connection, coins.to_string().into())]
            }
            _ => Vec::new(),
        })
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name the folder of the system")?);
    let cache = folder.join("cache");
    let programs = ProgramFiles::new(&cache)?;
    let compiler = CompilerSettings::new(Clang::find(&[])?, cache);
    let file = |name: &str| folder.join(name).into_os_string();
    let words = ["-g".into(), file("teller.c"), "-o".into(), file("teller.bc")];
    compiler.compile(CompilerName::C, &words)?;
    let exploration = Exploration::new(folder.join("bank.toml"))
        .peer("bank", Arc::new(bank()))
        .set("live-values", "10");
    let summary = exploration.run(&programs, &mut Printer)?;
    let said = &summary.live[0].statistics;
    println!("{:?}, {} answers of the bank", summary.outcome, said.answers_from_peer);
    Ok(())
}
