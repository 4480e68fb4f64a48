// SPDX-License-Identifier: Apache-2.0
/**
 * Random work on an unreliable network, and what must be true of it whatever happens. Uses what the
 * emulator exports, as any program could; the commands of other packages are not used here.
 */
package io.queuepair.lab.simulation;
