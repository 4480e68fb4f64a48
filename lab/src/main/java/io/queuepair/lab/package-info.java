// SPDX-License-Identifier: Apache-2.0
/**
 * Commands for developers: part of a checkout, not of the published archive. May use every module.
 */
package io.queuepair.lab;
