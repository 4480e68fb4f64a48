// SPDX-License-Identifier: Apache-2.0
/**
 * Those who ask too much of a device, others beside them, and a peer that is killed: tests, and a
 * program for {@code tests/robustness/run}, which takes time, and a machine that does little else.
 */
package io.queuepair.tests.robustness;
