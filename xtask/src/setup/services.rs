//! Packages of servers, installed without their services: tests start what they need themselves.
//!
//! Debian starts a server when its package is installed, and at each start of the machine from then on.
//! `policy-rc.d` is asked first, and forbids it while it says 101 (`invoke-rc.d(8)`).

use std::process::Command;

/// Runs a command, given as arguments, while no service can start. A policy that is there already stays.
const WITHOUT_STARTS: &str = "\
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod 755 $policy || exit
fi
\"$@\"";

/// Takes services, given as arguments, out of the start of the machine, where there is such a thing.
const DISABLE: &str = "\
command -v update-rc.d > /dev/null || exit 0
for service; do
  if [ -e /etc/init.d/$service ]; then update-rc.d $service disable || exit; fi
done";

/// Adds the words to a command of root that let the words after them run while no service can start.
pub(super) fn without_starts(root: &mut Command) -> &mut Command {
    root.args(["sh", "-c", WITHOUT_STARTS, "sh"])
}

/// Adds the words to a command of root that take services out of the start of the machine. A service has
/// the name of its package.
pub(super) fn disable<'a>(root: &'a mut Command, packages: &[&str]) -> &'a mut Command {
    root.args(["sh", "-c", DISABLE, "sh"]).args(packages)
}
