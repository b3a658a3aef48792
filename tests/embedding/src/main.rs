//! Explores a system of two nodes in which one datagram may be lost.

use std::error::Error;
use std::path::PathBuf;

use everett_explorer::{
    Clang, CompilerName, CompilerSettings, Exploration, Finding, Observer, ProgramFiles,
};

struct Printer;

impl Observer for Printer {
    fn finding(&mut self, finding: &Finding) {
        println!("{} on {}: {}", finding.kind, finding.node, finding.message);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name the folder of the system")?);
    let cache = folder.join("cache");
    let programs = ProgramFiles::new(&cache)?;
    let compiler = CompilerSettings::new(Clang::find(&[])?, cache);
    for name in ["server", "client"] {
        let file = |end: &str| folder.join(name).with_extension(end).into_os_string();
        compiler.compile(CompilerName::C, &["-g".into(), file("c"), "-o".into(), file("bc")])?;
    }
    let exploration = Exploration::new(folder.join("system.toml")).set("lost-packet-count", "1");
    let summary = exploration.run(&programs, &mut Printer)?;
    println!("{:?}, {} findings", summary.outcome, summary.findings.len());
    Ok(())
}
