// Rules for the stacks of this repository: those of aks-workload-identity.
require('@aks-workload-identity/stacks/policy');
