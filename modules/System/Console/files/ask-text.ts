import { ElMessageBox } from 'element-plus';

/** What a dialog that asks for one text shows. */
export interface Question {
  title: string;
  /** Name of the field. */
  label: string;
  /** At first. */
  text?: string;
  maxLength: number;
  /** Shown for a text that is empty or too long. */
  rule: string;
}

/** Asks for a text. @returns it without spaces around it; undefined if the operator cancels or changes nothing */
export async function askText({
  title,
  label,
  text = '',
  maxLength,
  rule,
}: Question): Promise<string | undefined> {
  const answer = await ElMessageBox.prompt(label, title, {
    inputValue: text,
    inputValidator: (value: string) => (value.trim() && value.trim().length <= maxLength ? true : rule),
  }).then(
    ({ value }) => value.trim(),
    () => text,
  );
  return answer === text ? undefined : answer;
}
