/** How long an answer may take to become the expected one; every cache lifetime is longer. */
const limitMs = 10_000;

/**
 * Asks again and again until the answer is the expected one.
 *
 * @returns the last answer: the expected one, or what it still was when the time was over
 */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  isExpected: (answer: Answer) => boolean,
): Promise<Answer> {
  const deadline = Date.now() + limitMs;
  let answer = await ask();
  while (!isExpected(answer) && Date.now() < deadline) answer = await ask();
  return answer;
}
