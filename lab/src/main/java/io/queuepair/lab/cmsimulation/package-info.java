// SPDX-License-Identifier: Apache-2.0
/**
 * Simulation of random connections through the connection manager, in virtual time on an unreliable
 * network, and the invariants that are checked.
 */
package io.queuepair.lab.cmsimulation;
