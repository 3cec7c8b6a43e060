import type { Properties } from '../protocol';

/** Tags that the provider shows as features (internal/helpers/applications/applications.go). */
const features: Readonly<Record<string, string>> = {
  customSingleSignOn: 'windowsazureactivedirectorycustomsinglesignonapplication',
  enterprise: 'windowsazureactivedirectoryintegratedapp',
  gallery: 'windowsazureactivedirectorygalleryapplicationnonprimaryv1',
  hide: 'hideapp',
};

/** Returns whether the tags contain that of each feature. */
export function featureTags(tags: readonly string[]): Properties {
  const known = new Set(tags.map((tag) => tag.toLowerCase()));
  return Object.fromEntries(Object.entries(features).map(([name, tag]) => [name, known.has(tag)]));
}

/** Returns the same with the names in the deprecated output `features`. */
export function deprecatedFeatures(tags: readonly string[]): Properties {
  const { customSingleSignOn = false, enterprise = false, gallery = false, hide } = featureTags(tags);
  return {
    customSingleSignOnApp: customSingleSignOn,
    enterpriseApplication: enterprise,
    galleryApplication: gallery,
    visibleToUsers: hide !== true,
  };
}
