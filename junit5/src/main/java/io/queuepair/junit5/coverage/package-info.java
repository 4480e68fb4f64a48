// SPDX-License-Identifier: Apache-2.0
/**
 * How much of RDMA a run of tests met. Launchers and emulators find these classes by themselves;
 * they use the core, and nothing of the package above them.
 */
package io.queuepair.junit5.coverage;
