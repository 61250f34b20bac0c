/** Runs test files in the given order: MUTANTS_ORDER is a JSON file with their paths. */
module.exports = class GivenOrder {
  sort(tests) {
    const order = require(process.env.MUTANTS_ORDER);
    const place = ({ path }) => order.findIndex((file) => path.endsWith(`/${file}`));
    return [...tests].sort((a, b) => place(a) - place(b));
  }

  shard(tests) {
    return tests;
  }

  allFailedTests() {
    return [];
  }

  cacheResults() {}
};
