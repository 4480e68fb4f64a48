// SPDX-License-Identifier: Apache-2.0
/**
 * Random connections through the connection manager, in virtual time on an unreliable network: what
 * one seed does, what must hold, and how a failure becomes small.
 */
package io.queuepair.lab.cmsimulation;
