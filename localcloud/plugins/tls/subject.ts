import { Name, type JsonNameParams } from './x509';
import * as z from 'zod';

export const subjectSchema = z.object({
  country: z.string().optional(),
  organization: z.string().optional(),
  organizationalUnit: z.string().optional(),
  locality: z.string().optional(),
  province: z.string().optional(),
  streetAddresses: z.array(z.string()).optional(),
  postalCode: z.string().optional(),
  commonName: z.string().optional(),
  serialNumber: z.string().optional(),
  emailAddress: z.string().optional(),
});

type Subject = z.infer<typeof subjectSchema>;

/** Object identifiers of the attributes, in the order of Go's `pkix.Name`, which the official provider uses. */
const attributes: readonly [keyof Subject, string][] = [
  ['country', '2.5.4.6'],
  ['organization', '2.5.4.10'],
  ['organizationalUnit', '2.5.4.11'],
  ['locality', '2.5.4.7'],
  ['province', '2.5.4.8'],
  ['streetAddresses', '2.5.4.9'],
  ['postalCode', '2.5.4.17'],
  ['commonName', '2.5.4.3'],
  ['serialNumber', '2.5.4.5'],
  ['emailAddress', '1.2.840.113549.1.9.1'],
];

/** Returns the distinguished name; empty if there are no attributes. */
export function subjectName(subject: Subject = {}): Name {
  const params: JsonNameParams = attributes.flatMap(([attribute, id]) => {
    const values = [subject[attribute] ?? []].flat();
    return values.map((value) =>
      attribute === 'emailAddress' ? { [id]: [{ ia5String: value }] } : { [id]: [value] },
    );
  });
  return new Name(params);
}
