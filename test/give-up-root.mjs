// `node --import` this: the program that follows runs as an ordinary user, although root started it. Root may read and
// write everything; a child that is started as another user could not always run Node (below /root, say).
const OTHER_USER = 65_534;

if (process.getuid?.() === 0) {
  process.setgroups([OTHER_USER]);
  process.setgid(OTHER_USER);
  process.setuid(OTHER_USER);
}
