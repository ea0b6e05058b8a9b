import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { ConfigMap, Secret, Service } from 'kubernetes-types/core/v1.js';
import type { Ingress } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';

type Complete<T extends { apiVersion?: unknown; kind?: unknown }> = T & Required<Pick<T, 'apiVersion' | 'kind'>>;

/** The kinds of objects in the manifests. The types are generated from the OpenAPI document of Kubernetes. */
export type KubernetesObject =
  | Complete<ConfigMap>
  | Complete<Deployment>
  | Complete<Ingress>
  | Complete<PodDisruptionBudget>
  | Complete<Secret>
  | Complete<Service>;
