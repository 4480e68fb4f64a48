// SPDX-License-Identifier: Apache-2.0
/**
 * Coverage of RDMA by a run of tests. Launchers and emulators find these classes by {@code
 * ServiceLoader}. They use the core, but not the parent package.
 */
package io.queuepair.junit5.coverage;
