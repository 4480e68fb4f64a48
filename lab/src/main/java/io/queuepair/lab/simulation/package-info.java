// SPDX-License-Identifier: Apache-2.0
/**
 * Simulation of random work on an unreliable network, and the invariants that are checked. Uses the
 * exported API of the emulator, as any program could; does not use other packages' commands.
 */
package io.queuepair.lab.simulation;
