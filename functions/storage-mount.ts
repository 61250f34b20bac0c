import type { StorageMount } from './function-map.ts';

const names = ['STORAGE_ACCESS_POINT_ARN', 'STORAGE_SUBNET_IDS', 'STORAGE_SECURITY_GROUP_IDS'] as const;
const mountPath = '/mnt/storage';

/**
 * The optional EFS mount of the functions that touch local storage, from the deploying environment.
 *
 * @returns undefined where none of its variables is set
 * @throws Error naming the one that is missing where only some are
 */
export function readMount(environment: NodeJS.ProcessEnv): StorageMount | undefined {
  if (names.every((name) => !environment[name])) return undefined;
  const missing = names.find((name) => !environment[name]);
  if (missing) throw new Error(`${missing} is not set: an EFS mount takes ${names.join(', ')}`);
  const [arn = '', subnets = '', groups = ''] = names.map((name) => environment[name] ?? '');
  return {
    fileSystemConfig: { arn, localMountPath: mountPath },
    vpc: { subnetIds: split(subnets), securityGroupIds: split(groups) },
  };
}

const split = (list: string): string[] => list.split(',').map((entry) => entry.trim());
