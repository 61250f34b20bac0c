/** Static configuration of the site gate (specification, "Site status setting"). */
export const siteStatusConfig = {
  /** Answered while the site is closed, unless `basics.closed_message` is set. */
  closedMessage: '系统当前已关闭，请稍后再试',
  cacheKey: 'service:site-status',
  /** Seconds the status is served from the cache. */
  cacheTtl: 60,
  group: 'basics',
  key: 'sys_status',
};
