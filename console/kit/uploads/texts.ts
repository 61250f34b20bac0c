import type { LocalisedText } from '#functions/console/description.ts';
import { localise } from '../../base/locale.ts';
import type { Problem, ProblemKind } from './upload-problem.ts';

export const uploadTexts = {
  title: { zh_CN: '上传', en: 'Uploads' },
  summary_open: { zh_CN: '正在上传，剩余 {open} 个', en: 'Uploading, {open} left' },
  summary_done: { zh_CN: '已上传 {done} 个', en: '{done} uploaded' },
  summary_failed: { zh_CN: '已上传 {done} 个，失败 {failed} 个', en: '{done} uploaded, {failed} failed' },
  phases: {
    queued: { zh_CN: '等待中', en: 'Waiting' },
    sending: { zh_CN: '上传中', en: 'Uploading' },
    waiting: { zh_CN: '连接中断，稍后自动重试', en: 'Interrupted, tries again soon' },
    checking: { zh_CN: '校验中', en: 'Checking' },
    paused: { zh_CN: '已暂停', en: 'Paused' },
    done: { zh_CN: '已完成', en: 'Done' },
    failed: { zh_CN: '失败', en: 'Failed' },
    cancelled: { zh_CN: '已取消', en: 'Cancelled' },
  },
  pause: { zh_CN: '暂停', en: 'Pause' },
  resume: { zh_CN: '继续', en: 'Resume' },
  cancel: { zh_CN: '取消', en: 'Cancel' },
  retry: { zh_CN: '重试', en: 'Try again' },
  remove: { zh_CN: '移除', en: 'Remove' },
  clear: { zh_CN: '清除已完成', en: 'Clear finished' },
  pauseAll: { zh_CN: '全部暂停', en: 'Pause all' },
  resumeAll: { zh_CN: '全部继续', en: 'Resume all' },
  fold: { zh_CN: '收起上传列表', en: 'Fold the list of uploads' },
  unfold: { zh_CN: '展开上传列表', en: 'Unfold the list of uploads' },
  close: { zh_CN: '关闭上传列表', en: 'Close the list of uploads' },
  of: { zh_CN: '{sent} / {size}', en: '{sent} of {size}' },
  left: { zh_CN: '剩余约 {time}', en: 'about {time} left' },
  wrongType: {
    zh_CN: '不支持此类文件，可上传：{endings}',
    en: 'Files of this type cannot be uploaded here. Allowed: {endings}',
  },
  problems: {
    network: {
      zh_CN: '连接已中断。恢复后会从中断处继续，也可点击重试。',
      en: 'The connection was lost. The upload goes on where it stopped when the connection is back.',
    },
    engine_unreachable: {
      zh_CN: '无法连接存储服务。请检查网络；存储桶需要允许本站地址 POST 的跨域（CORS）规则。',
      en: 'The storage could not be reached. Check the connection. The bucket needs a CORS rule that allows POST from this address.',
    },
    engine_refused: { zh_CN: '存储服务拒绝了此文件：', en: 'The storage refused this file: ' },
    content: {
      zh_CN: '文件内容与扩展名不符，或含有脚本。请用正确的扩展名保存后再上传。',
      en: 'The content does not fit the ending of the name, or holds scripts. Save the file in the right format.',
    },
    empty: { zh_CN: '文件是空的。', en: 'The file is empty.' },
    expired: { zh_CN: '上传未完成且已过期，请重试。', en: 'The upload was not finished in time. Try again.' },
    category: {
      zh_CN: '所选分类已不存在，或不接受此类文件。',
      en: 'The category no longer exists, or does not take this type of file.',
    },
    busy: {
      zh_CN: '上传过于频繁，稍后自动继续。',
      en: 'Too many uploads in a short time. It goes on by itself.',
    },
  },
} as const;

const problems: Partial<Record<ProblemKind, LocalisedText>> = uploadTexts.problems;

/** Why an upload failed, in plain words. */
export function describeProblem({ kind, message }: Problem): string {
  const text = problems[kind];
  if (!text) return message;
  return kind === 'engine_refused' ? localise(text) + message : localise(text);
}

/** How far all uploads are. */
export function describeUploads(open: number, done: number, failed: number): string {
  const { summary_open, summary_done, summary_failed } = uploadTexts;
  return localise(open > 0 ? summary_open : failed > 0 ? summary_failed : summary_done, {
    open,
    done,
    failed,
  });
}

/** Remaining time: `12 s`, `3 min`. */
export const formatSeconds = (seconds: number): string =>
  seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
