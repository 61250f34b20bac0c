/**
 * Invokes a function of the running gateway past its routes.
 *
 * @param port of serverless-offline's Lambda endpoint
 * @throws Error when there is no gateway, or the function fails
 */
export async function invokeFunction(port: number, name: string, event: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/2015-03-31/functions/${name}/invocations`, {
    method: 'POST',
    body: JSON.stringify(event),
  });
  const answer = await response.text();
  if (response.ok && !response.headers.has('x-amz-function-error')) return;
  throw new Error(`${name} failed: ${answer.slice(0, 500)}`);
}
