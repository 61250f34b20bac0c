// The cache in a process of its own, so that nobody else's work is measured with its answers.
// Argument: the token that clients send. Its URL goes to the parent.

import { startUpstashEndpoint } from '../../cli/local/upstash/start-upstash-endpoint.ts';

const { url } = await startUpstashEndpoint({ token: process.argv[2] });
process.on('disconnect', () => process.exit(0));
process.send(url);
