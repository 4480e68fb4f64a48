// SPDX-License-Identifier: Apache-2.0
/**
 * Random and mutated datagrams against a device at work, and what must be true of it whatever
 * arrives. Uses what the emulator exports, as any program could.
 */
package io.queuepair.lab.fuzz;
