/** The floor: a handler that does nothing. */
export async function handler() {
  return { statusCode: 200, body: '{}' };
}
