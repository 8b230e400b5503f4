// What the loads have in common.
exports.sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
exports.summary = (latencies, moves, milliseconds) => {
  const sorted = latencies.sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return { moves_a_second: (moves / milliseconds) * 1000, p50: at(0.5), p99: at(0.99) };
};
