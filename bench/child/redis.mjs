// The cache in a process of its own, so that nobody else's work is measured with its answers.
// Arguments: the token that clients send, and the URL of a Redis to keep it in, in memory where there is none.
// Its URL goes to the parent.

import { startUpstashEndpoint } from '../../cli/local/upstash/start-upstash-endpoint.ts';

const [token, redisUrl] = process.argv.slice(2);
const { url } = await startUpstashEndpoint({ token, redisUrl });
process.on('disconnect', () => process.exit(0));
process.send(url);
