// Package mlog is what the CSI driver uses of monis.app/mlog, which the module proxy does not serve.
package mlog

import (
	"context"
	"os"

	"k8s.io/klog/v2"
)

// LogFormat is text or JSON; klog's text is what is written in both cases.
type LogFormat string

const (
	FormatText LogFormat = "text"
	FormatJSON LogFormat = "json"
)

// Setup returns what is to be called before the process ends.
func Setup() func() { return klog.Flush }

// ValidateAndSetKlogLevelAndFormatGlobally keeps klog as its flags set it.
func ValidateAndSetKlogLevelAndFormatGlobally(context.Context, klog.Level, LogFormat) error {
	return nil
}

// Error logs a failure that the process survives.
func Error(message string, err error, keysAndValues ...any) {
	klog.ErrorSDepth(1, err, message, keysAndValues...)
}

// Fatal logs and ends the process.
func Fatal(err error) {
	klog.ErrorSDepth(1, err, "fatal error")
	klog.Flush()
	os.Exit(1)
}
