//! The walk of docs/servers.md: its commands are executed as they stand there.
//!
//! In the section of the walk, a block of shell commands is executed, and any other block is the file that
//! the sentence before it names last. `everett` is the driver under test, and `apt-get` has lists of source
//! packages.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use wait4::Wait4;

use crate::process::{heading, now};
use crate::source_package;
use crate::workspace;

const PAGE: &str = "docs/servers.md";
const SECTION: &str = "## A walk";

/// The minutes that the page promises, of the processor: a machine may be busy with other things.
const MINUTES: f64 = 5.0;

/// A block of code of the section.
#[derive(Debug, PartialEq, Eq)]
enum Block {
    Commands(String),
    File { name: String, text: String },
}

/// Executes the commands in a new folder.
pub(super) fn run(everett: &Path, folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).context("cannot remove the last walk")?;
    }
    fs::create_dir_all(folder.join("programs"))?;
    symlink(everett, folder.join("programs/everett"))?;
    let page = fs::read_to_string(workspace::root().join(PAGE))?;
    let apt = source_package::lists(&folder.join("apt"))?;
    let work = folder.join("work");
    fs::create_dir_all(&work)?;
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", folder.join("programs").display());
    let start = now();
    let (mut commands, mut processor) = (0, Duration::ZERO);
    for block in blocks(&page)? {
        match block {
            Block::File { name, text } => fs::write(work.join(name), text)?,
            Block::Commands(text) => {
                heading(text.trim_end());
                let mut shell = Command::new("sh");
                shell.args(["-ec", &text]).current_dir(&work).env("PATH", &path);
                shell.env("EVERETT_CACHE", folder.join("cache")).env("APT_CONFIG", &apt);
                let used = shell.spawn().context("cannot start sh")?.wait4()?;
                ensure!(used.status.success(), "the commands failed: {}", used.status);
                processor += used.rusage.utime + used.rusage.stime;
                commands += 1;
            }
        }
    }
    ensure!(commands > 0, "{PAGE} has no commands below \"{SECTION}\"");
    let (real, processor) = (start.elapsed().as_secs_f64(), processor.as_secs_f64());
    println!("\nthe walk took {real:.0} s, and {processor:.0} s of the processors");
    ensure!(processor < 60.0 * MINUTES, "the page says that it takes {MINUTES} minutes at most");
    Ok(())
}

/// The blocks of the section, in their order.
fn blocks(page: &str) -> Result<Vec<Block>> {
    let start = page.find(SECTION).with_context(|| format!("no \"{SECTION}\""))?;
    let section = &page[start + SECTION.len()..];
    let section = section.find("\n## ").map_or(section, |end| &section[..end]);
    let mut blocks = Vec::new();
    let mut name = None;
    let mut lines = section.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            name = line.rsplit('`').nth(1).map(str::to_owned).or(name);
            continue;
        };
        let body = lines.by_ref().take_while(|line| *line != "```");
        let text: String = body.map(|line| format!("{line}\n")).collect();
        match (language, name.take()) {
            ("sh", _) => blocks.push(Block::Commands(text)),
            ("console" | "text", _) => {}
            (_, Some(name)) => blocks.push(Block::File { name, text }),
            (language, None) => bail!("a block of {language} without the name of its file"),
        }
    }
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_files_of_the_section_are_taken() {
        let page = "```sh\nno\n```\n## A walk\nSay `x` in `a.c`:\n\n```c\nint a;\n```\n```sh\ncc a.c\n```\n\
            It prints:\n```text\nb\n```\n## More\n```sh\nno\n```\n";
        let file = Block::File { name: "a.c".to_owned(), text: "int a;\n".to_owned() };
        let commands = Block::Commands("cc a.c\n".to_owned());
        assert_eq!(blocks(page).expect("the page is right"), [file, commands]);
    }

    #[test]
    fn the_page_has_a_walk() {
        let page = fs::read_to_string(workspace::root().join(PAGE)).expect("there is such a page");
        let blocks = blocks(&page).expect("the page is right");
        assert!(blocks.iter().any(|block| matches!(block, Block::Commands(_))));
    }
}
