// Ends the process on a version of Node that the packages exclude (`engines`). It imports nothing: make runs it before the packages
// are installed.
const [major, minor] = process.versions.node.split('.').map(Number);
if (!({ 20: minor >= 19, 22: minor >= 17 }[major] ?? major >= 24)) {
  process.stderr.write(
    `error: Node ${process.versions.node} is not supported: version 20.19, 22.17, 24 or newer is required.\n  → Install Node 22 or 24 (https://nodejs.org), and run the command again.\n`,
  );
  process.exit(1);
}
