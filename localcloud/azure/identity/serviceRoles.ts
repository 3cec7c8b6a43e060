import type { RoleDefinition } from './roleDefinition';
import { role } from './roleDefinition';

const MANAGEMENT = [
  'Microsoft.Authorization/*/read',
  'Microsoft.Insights/alertRules/*',
  'Microsoft.ResourceHealth/availabilityStatuses/read',
  'Microsoft.Resources/deployments/*',
  'Microsoft.Resources/subscriptions/resourceGroups/read',
  'Microsoft.Support/*',
];

const CONTAINERS = 'Microsoft.Storage/storageAccounts/blobServices/containers';
const USER_DELEGATION_KEY = 'Microsoft.Storage/storageAccounts/blobServices/generateUserDelegationKey/action';
const QUEUES = 'Microsoft.Storage/storageAccounts/queueServices/queues';
const TABLES = 'Microsoft.Storage/storageAccounts/tableServices/tables';

const SERVICE_BUS_READ = [
  'Microsoft.ServiceBus/*/queues/read',
  'Microsoft.ServiceBus/*/topics/read',
  'Microsoft.ServiceBus/*/topics/subscriptions/read',
];

/**
 * Roles for the services that applications depend on: to provision them, and to use their data. Of
 * these services, the local cloud has the data of blobs alone. Source: MicrosoftDocs/azure-docs
 * `articles/role-based-access-control/built-in-roles/{storage,databases,integration,monitor}.md`.
 */
export const SERVICE_ROLES: readonly RoleDefinition[] = [
  role(
    '73c42c96-874c-492b-b04d-ab87d138a893',
    'Log Analytics Reader',
    'View and search all monitoring data.',
    {
      actions: [
        '*/read',
        'Microsoft.OperationalInsights/workspaces/analytics/query/action',
        'Microsoft.OperationalInsights/workspaces/search/action',
        'Microsoft.Support/*',
      ],
      notActions: ['Microsoft.OperationalInsights/workspaces/sharedKeys/read'],
    },
  ),
  role(
    '9980e02c-c2be-4d73-94e8-173b1dc7cf3c',
    'Virtual Machine Contributor',
    'Create and manage virtual machines, without access to what they contain and to their networks.',
    {
      actions: [
        ...MANAGEMENT,
        'Microsoft.Compute/availabilitySets/*',
        'Microsoft.Compute/disks/delete',
        'Microsoft.Compute/disks/read',
        'Microsoft.Compute/disks/write',
        'Microsoft.Compute/locations/*',
        'Microsoft.Compute/virtualMachineScaleSets/*',
        'Microsoft.Compute/virtualMachines/*',
        'Microsoft.Network/networkInterfaces/*',
        'Microsoft.Network/virtualNetworks/read',
        'Microsoft.Network/virtualNetworks/subnets/join/action',
        'Microsoft.Storage/storageAccounts/listKeys/action',
        'Microsoft.Storage/storageAccounts/read',
      ],
    },
  ),
  role(
    '17d1049b-9a84-46fb-8f53-869881c3d3ab',
    'Storage Account Contributor',
    'Manage storage accounts, with access to their keys.',
    {
      actions: [
        ...MANAGEMENT,
        'Microsoft.Insights/diagnosticSettings/*',
        'Microsoft.Network/virtualNetworks/subnets/joinViaServiceEndpoint/action',
        'Microsoft.Storage/storageAccounts/*',
      ],
    },
  ),
  role(
    'b7e6dc6d-f1e8-4753-8033-0f276bb0955b',
    'Storage Blob Data Owner',
    'Full access to containers and blobs, POSIX access control included.',
    { actions: [`${CONTAINERS}/*`, USER_DELEGATION_KEY], dataActions: [`${CONTAINERS}/blobs/*`] },
  ),
  role(
    'ba92f5b4-2d11-453d-a403-e96b0029c9fe',
    'Storage Blob Data Contributor',
    'Read, write and delete containers and blobs.',
    {
      actions: [`${CONTAINERS}/delete`, `${CONTAINERS}/read`, `${CONTAINERS}/write`, USER_DELEGATION_KEY],
      dataActions: ['delete', 'read', 'write', 'move/action', 'add/action'].map(
        (each) => `${CONTAINERS}/blobs/${each}`,
      ),
    },
  ),
  role(
    '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1',
    'Storage Blob Data Reader',
    'Read and list containers and blobs.',
    { actions: [`${CONTAINERS}/read`, USER_DELEGATION_KEY], dataActions: [`${CONTAINERS}/blobs/read`] },
  ),
  role(
    '974c5e8b-45b9-4653-ba55-5f855dd0fb88',
    'Storage Queue Data Contributor',
    'Read, write and delete queues and messages.',
    {
      actions: [`${QUEUES}/delete`, `${QUEUES}/read`, `${QUEUES}/write`],
      dataActions: ['delete', 'read', 'write', 'process/action'].map((each) => `${QUEUES}/messages/${each}`),
    },
  ),
  role(
    '8a0f0c08-91a1-4084-bc3d-661d67233fed',
    'Storage Queue Data Message Processor',
    'Peek, retrieve and delete messages.',
    { dataActions: [`${QUEUES}/messages/read`, `${QUEUES}/messages/process/action`] },
  ),
  role('c6a89b2d-59bc-44d0-9896-0f6e12d7b80a', 'Storage Queue Data Message Sender', 'Add messages.', {
    dataActions: [`${QUEUES}/messages/add/action`],
  }),
  role(
    '19e7f393-937e-4f77-808e-94535e297925',
    'Storage Queue Data Reader',
    'Read and list queues and messages.',
    { actions: [`${QUEUES}/read`], dataActions: [`${QUEUES}/messages/read`] },
  ),
  role(
    '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3',
    'Storage Table Data Contributor',
    'Read, write and delete tables and entities.',
    {
      actions: [`${TABLES}/read`, `${TABLES}/write`, `${TABLES}/delete`],
      dataActions: ['read', 'write', 'delete', 'add/action', 'update/action'].map(
        (each) => `${TABLES}/entities/${each}`,
      ),
    },
  ),
  role('76199698-9eea-4c19-bc75-cec21354c6b6', 'Storage Table Data Reader', 'Read tables and entities.', {
    actions: [`${TABLES}/read`],
    dataActions: [`${TABLES}/entities/read`],
  }),
  role('e0f68234-74aa-48ed-b826-c38b57376e17', 'Redis Cache Contributor', 'Manage Redis caches.', {
    actions: [...MANAGEMENT, 'Microsoft.Cache/register/action', 'Microsoft.Cache/redis/*'],
  }),
  role(
    '090c5cfd-751d-490a-894a-3ce6f1109419',
    'Azure Service Bus Data Owner',
    'Full access to Service Bus resources.',
    { actions: ['Microsoft.ServiceBus/*'], dataActions: ['Microsoft.ServiceBus/*'] },
  ),
  role(
    '4f6d3b9b-027b-4f4c-9142-0e5a2a2247e0',
    'Azure Service Bus Data Receiver',
    'Receive from Service Bus resources.',
    { actions: SERVICE_BUS_READ, dataActions: ['Microsoft.ServiceBus/*/receive/action'] },
  ),
  role(
    '69a216fc-b8fb-44d8-bc22-1f3c2cd27a39',
    'Azure Service Bus Data Sender',
    'Send to Service Bus resources.',
    { actions: SERVICE_BUS_READ, dataActions: ['Microsoft.ServiceBus/*/send/action'] },
  ),
];
