// boardgame.io with its own server, keeping matches in memory as it does by default, or in files.
// node boardgame_server.js PORT [FOLDER]
const { Server, Origins, FlatFile } = require("boardgame.io/server");
const { near, ...game } = require("./boardgame_game");
const [port, folder] = process.argv.slice(2);
const db = folder ? new FlatFile({ dir: folder }) : undefined;
Server({ games: [game], db, origins: [Origins.LOCALHOST] }).run(Number(port), () => console.log("ready"));
