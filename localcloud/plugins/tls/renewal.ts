import { reveal, type Properties } from '../protocol';
import { textAt } from '../resources/propertyPath';

const hour = 60 * 60 * 1000;

/**
 * Tells whether a certificate is in its renewal window or expired, from its `validityEndTime` and `earlyRenewalHours`
 * (`modifyPlanIfCertificateReadyForRenewal` in internal/provider/common_cert.go of
 * hashicorp/terraform-provider-tls).
 */
export function readyForRenewal(certificate: Properties, now: Date): boolean {
  const end = Date.parse(textAt(certificate, 'validityEndTime'));
  return !Number.isNaN(end) && end - hoursOf(certificate, 'earlyRenewalHours') * hour <= now.getTime();
}

/**
 * Tells whether a certificate is ready for renewal from the start, so that every update replaces it (`ReadyForRenewal` in
 * internal/provider/attribute_plan_modifier_bool/default_value.go).
 */
export function alwaysReady(inputs: Properties): boolean {
  return hoursOf(inputs, 'earlyRenewalHours') >= hoursOf(inputs, 'validityPeriodHours');
}

function hoursOf(properties: Properties, name: string): number {
  const value = reveal(properties[name] ?? 0);
  return typeof value === 'number' ? value : 0;
}
