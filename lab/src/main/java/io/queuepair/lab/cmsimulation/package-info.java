// SPDX-License-Identifier: Apache-2.0
/**
 * Random connections through the connection manager, in virtual time on an unreliable network: what
 * one seed does, and what must hold.
 */
package io.queuepair.lab.cmsimulation;
