const { appendFileSync, existsSync } = require('node:fs');

/** Creates a function that appends each block to the log once for each test file. */
module.exports = function createRecorder(log) {
  const seen = new Set();
  // Servers outlive the test file that starts them. The reporter removes the log between test files.
  if (!process.env.JEST_WORKER_ID) setInterval(() => existsSync(log) || seen.clear(), 20).unref();
  return (block) => {
    if (seen.has(block)) return;
    seen.add(block);
    appendFileSync(log, `${block}\n`);
  };
};
