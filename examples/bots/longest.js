// Takes as much as it can, in any game: node examples/bots/longest.js
const say = (...lines) => process.stdout.write(lines.join("\n") + "\n");
let legal = [];

const answers = {
  hub: () => say("id name=Longest version=1", "param name=hand-over value=legal", "wait"),
  init: () => say("ready"),
  ping: () => say("pong"),
  pos: (line) => (legal = line.match(/legal="?([^"]*)/)[1].split(" ")),
  go: () => {
    const taken = (move) => move.split("x").length;
    legal.sort((a, b) => taken(b) - taken(a));
    say(`done move=${legal[0]}`);
  },
  quit: () => process.exit(),
};

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => answers[line.split(" ")[0]]?.(line));
