/** Where what is drawn comes from. */
export interface Origin {
  readonly from: 'deployed' | 'planned' | 'recorded';
  readonly at: Date;
}

const words: Readonly<Record<Origin['from'], string>> = {
  deployed: 'deployed, by the state of stack',
  planned: 'planned, by the settings of stack',
  recorded: 'by a file that was recorded of stack',
};

/** Which stack, whether it is deployed or planned, and when it was looked at. */
export function originOf(stack: string, { from, at }: Origin): string {
  return `${words[from]} ${stack}, at ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
