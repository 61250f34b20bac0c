// The cache in its own process, so that other work does not disturb the measurement.
// Arguments: the token that clients send, and the URL of a Redis that stores the data (default: in memory).
// Its URL goes to the parent.

import { startUpstashEndpoint } from '../../cli/local/upstash/start-upstash-endpoint.ts';

const [token, redisUrl] = process.argv.slice(2);
const { url } = await startUpstashEndpoint({ token, redisUrl });
process.on('disconnect', () => process.exit(0));
process.send(url);
