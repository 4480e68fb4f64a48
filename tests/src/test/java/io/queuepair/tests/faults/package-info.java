// SPDX-License-Identifier: Apache-2.0
/**
 * Fault plans on whole devices: what applications and traces see of what goes wrong on purpose.
 * Expectations come from the specification, never from a run.
 */
package io.queuepair.tests.faults;

