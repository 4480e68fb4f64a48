// SPDX-License-Identifier: Apache-2.0
/** The commands that a checkout has and the published archive has not. May use every module. */
package io.queuepair.lab;
