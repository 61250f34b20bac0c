import { locale } from '../../base/locale.ts';
import type { Problem, ProblemKind } from './upload-problem.ts';

const zh_CN = {
  title: '上传',
  summary: (open: number, done: number, failed: number) =>
    open > 0 ? `正在上传，剩余 ${open} 个` : `已上传 ${done} 个${failed > 0 ? `，失败 ${failed} 个` : ''}`,
  phases: {
    queued: '等待中',
    sending: '上传中',
    waiting: '连接中断，稍后自动重试',
    checking: '校验中',
    paused: '已暂停',
    done: '已完成',
    failed: '失败',
    cancelled: '已取消',
  },
  pause: '暂停',
  resume: '继续',
  cancel: '取消',
  retry: '重试',
  remove: '移除',
  clear: '清除已完成',
  pauseAll: '全部暂停',
  resumeAll: '全部继续',
  fold: '收起上传列表',
  unfold: '展开上传列表',
  close: '关闭上传列表',
  of: (sent: string, size: string) => `${sent} / ${size}`,
  left: (time: string) => `剩余约 ${time}`,
  wrongType: (endings: string) => `不支持此类文件，可上传：${endings}`,
  problems: {
    network: '连接已中断。恢复后会从中断处继续，也可点击重试。',
    engine_unreachable: '无法连接存储服务。请检查网络；存储桶需要允许本站地址 POST 的跨域（CORS）规则。',
    engine_refused: '存储服务拒绝了此文件：',
    content: '文件内容与扩展名不符，或含有脚本。请用正确的扩展名保存后再上传。',
    empty: '文件是空的。',
    expired: '上传未完成且已过期，请重试。',
    category: '所选分类已不存在，或不接受此类文件。',
    busy: '上传过于频繁，稍后自动继续。',
  } satisfies Partial<Record<ProblemKind, string>>,
};

const en: typeof zh_CN = {
  title: 'Uploads',
  summary: (open, done, failed) =>
    open > 0 ? `Uploading, ${open} left` : `${done} uploaded${failed > 0 ? `, ${failed} failed` : ''}`,
  phases: {
    queued: 'Waiting',
    sending: 'Uploading',
    waiting: 'Interrupted, tries again soon',
    checking: 'Checking',
    paused: 'Paused',
    done: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
  retry: 'Try again',
  remove: 'Remove',
  clear: 'Clear finished',
  pauseAll: 'Pause all',
  resumeAll: 'Resume all',
  fold: 'Fold the list of uploads',
  unfold: 'Unfold the list of uploads',
  close: 'Close the list of uploads',
  of: (sent, size) => `${sent} of ${size}`,
  left: (time) => `about ${time} left`,
  wrongType: (endings) => `Files of this type cannot be uploaded here. Allowed: ${endings}`,
  problems: {
    network: 'The connection was lost. The upload goes on where it stopped when the connection is back.',
    engine_unreachable:
      'The storage could not be reached. Check the connection. The bucket needs a CORS rule that allows POST from this address.',
    engine_refused: 'The storage refused this file: ',
    content:
      'The content does not fit the ending of the name, or holds scripts. Save the file in the right format.',
    empty: 'The file is empty.',
    expired: 'The upload was not finished in time. Try again.',
    category: 'The category no longer exists, or does not take this type of file.',
    busy: 'Too many uploads in a short time. It goes on by itself.',
  },
};

export const uploadTexts = () => (locale.value === 'en' ? en : zh_CN);

/** Why an upload failed, in plain words. */
export function describeProblem({ kind, message }: Problem): string {
  const { problems } = uploadTexts();
  if (kind === 'engine_refused') return problems.engine_refused + message;
  const known: Partial<Record<ProblemKind, string>> = problems;
  return known[kind] ?? message;
}

/** Remaining time: `12 s`, `3 min`. */
export const formatSeconds = (seconds: number): string =>
  seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
