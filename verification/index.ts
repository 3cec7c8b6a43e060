export type { Access, Session } from './access';
export { createAzureAccess } from './azureAccess';
export type { Check, SecretRef, ServiceAccountRef, WorkloadOutput, WorkloadPlan } from './checks';
export { planChecks } from './plan';
export type { CheckResult, Report, WorkloadResult, WorkloadSummary } from './report';
export { summarize, toReport } from './report';
export type { VerifyOptions, VerifyResult } from './runner';
export { verifyStack } from './runner';
export type { UnlistedVault } from './vaultInventory';
