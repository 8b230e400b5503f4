// boardgame.io, storing in memory: a board of 64 cells, one move a turn. node boardgame_server.js PORT
const { Server, Origins } = require("boardgame.io/server");
const game = require("./boardgame_game");
const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
server.run({ port: Number(process.argv[2]), callback: () => console.log("ready") });
