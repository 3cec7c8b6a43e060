/** Source and time of the drawn data. */
export interface Origin {
  readonly from: 'deployed' | 'planned' | 'recorded';
  readonly at: Date;
}

const words: Readonly<Record<Origin['from'], string>> = {
  deployed: 'deployed, by the state of stack',
  planned: 'planned, by the settings of stack',
  recorded: 'by a file that was recorded of stack',
};

/** Describes the stack, the source of the data and its time. */
export function originOf(stack: string, { from, at }: Origin): string {
  return `${words[from]} ${stack}, at ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
