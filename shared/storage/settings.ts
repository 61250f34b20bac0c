import { type EngineName, listMissingSettings } from '#shared/config/storage.ts';
import { notConfigured } from './failures.ts';

/** What every cloud engine needs (specification, "Storage engines"). Empty strings stand for what is not set. */
export interface CloudSettings {
  bucket: string;
  access_key: string;
  secret_key: string;
  /** What file URLs begin with; a host without a scheme is taken as https. */
  domain: string;
}

export interface AliyunSettings extends CloudSettings {
  /** URL of the API. @default `domain`, as a bound domain */
  endpoint: string;
  /** Whether `endpoint` is a domain bound to the bucket. @default true while `endpoint` is not set */
  cname: boolean;
  /** Whether the bucket stands in the path, as private clouds want it. */
  path_style: boolean;
  /** As `cn-hangzhou`; signs by version 4 where it is set, else by version 1. */
  region: string;
}

export interface QcloudSettings extends CloudSettings {
  region: string;
  /** URL or host of the API. @default `<bucket>.cos.<region>.myqcloud.com` */
  endpoint: string;
}

export interface QiniuSettings extends CloudSettings {
  /** `z0`, `z1`, `z2`, `cn-east-2`, `na0` or `as0`. @default asked for at `uc_host` */
  region: string;
  /** Host, with port where it has one, that takes uploads. */
  up_host: string;
  /** Host of the management API. */
  rs_host: string;
  /** Host that knows the bucket's region. */
  uc_host: string;
  /** Whether the hosts speak https. */
  https: boolean;
}

/** How an engine reaches its cloud. */
export interface CloudOptions {
  /** How long one call may take in all, in milliseconds. @default 15000 */
  timeoutMs?: number;
}

export const defaultTimeoutMs = 15_000;

/**
 * Checks that an engine has what it needs.
 *
 * @throws AppError `storage.not_configured` naming the settings that are missing
 */
export function requireSettings(engine: EngineName, settings: CloudSettings): void {
  const missing = listMissingSettings(engine, settings);
  if (missing.length > 0) throw notConfigured(`${engine} lacks ${missing.join(', ')}`);
}
