// Package mlog offers the part of monis.app/mlog's interface that the workload identity webhook uses. That
// module is on no proxy; the webhook's go.mod replaces it by this one, which hands every record to klog.
package mlog

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// LogLevel names how much is logged; each level includes those before it.
type LogLevel string

// LogFormat names how a record is written.
type LogFormat string

const (
	LevelWarning LogLevel = ""
	LevelInfo    LogLevel = "info"
	LevelDebug   LogLevel = "debug"
	LevelTrace   LogLevel = "trace"
	LevelAll     LogLevel = "all"

	FormatJSON LogFormat = "json"
	FormatText LogFormat = "text"
	FormatCLI  LogFormat = "cli"
)

// verbosity is klog's -v for each level.
var verbosity = map[LogLevel]int32{LevelWarning: 0, LevelInfo: 2, LevelDebug: 4, LevelTrace: 6, LevelAll: 108}

var current atomic.Int32

// LogSpec is what ValidateAndSetLogLevelAndFormatGlobally takes.
type LogSpec struct {
	Level  LogLevel  `json:"level,omitempty"`
	Format LogFormat `json:"format,omitempty"`
}

// Logger writes records of a name and fixed values.
type Logger interface {
	Error(message string, err error, keysAndValues ...any)
	Warning(message string, keysAndValues ...any)
	WarningErr(message string, err error, keysAndValues ...any)
	Info(message string, keysAndValues ...any)
	InfoErr(message string, err error, keysAndValues ...any)
	Debug(message string, keysAndValues ...any)
	DebugErr(message string, err error, keysAndValues ...any)
	Trace(message string, keysAndValues ...any)
	TraceErr(message string, err error, keysAndValues ...any)
	Always(message string, keysAndValues ...any)
	WithValues(keysAndValues ...any) Logger
	WithName(name string) Logger
}

// New is a logger without a name.
func New() Logger { return logger{klog.Background()} }

// Logr is the same sink for libraries that take a logr.Logger.
func Logr() logr.Logger { return klog.Background() }

// Setup returns what must run before the process ends.
func Setup() func() { return klog.Flush }

// Fatal writes the error and ends the process.
func Fatal(err error) {
	klog.Flush()
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// Enabled tells whether records of a level are written.
func Enabled(level LogLevel) bool {
	needed, known := verbosity[level]
	return known && current.Load() >= needed
}

// ValidateAndSetLogLevelAndFormatGlobally sets the level of every logger. Every format is written as klog's text.
func ValidateAndSetLogLevelAndFormatGlobally(_ context.Context, spec LogSpec) error {
	level, known := verbosity[spec.Level]
	if !known {
		return fmt.Errorf("log level %q: allowed are the empty string, info, debug, trace and all", spec.Level)
	}
	switch spec.Format {
	case "", FormatJSON, FormatText, FormatCLI:
	default:
		return fmt.Errorf("log format %q: allowed are %s", spec.Format, strings.Join([]string{string(FormatJSON), string(FormatText), string(FormatCLI)}, ", "))
	}
	current.Store(level)
	return nil
}

type logger struct{ sink logr.Logger }

func (l logger) write(level LogLevel, message string, keysAndValues []any) {
	if Enabled(level) {
		l.sink.WithCallDepth(2).Info(message, keysAndValues...)
	}
}

func with(key string, value any, keysAndValues []any) []any {
	return append([]any{key, value}, keysAndValues...)
}

func (l logger) Error(message string, err error, keysAndValues ...any) {
	l.sink.WithCallDepth(1).Error(err, message, keysAndValues...)
}

func (l logger) Warning(message string, keysAndValues ...any) {
	l.write(LevelWarning, message, with("warning", true, keysAndValues))
}

func (l logger) WarningErr(message string, err error, keysAndValues ...any) {
	l.write(LevelWarning, message, with("warning", true, with("error", err, keysAndValues)))
}

func (l logger) Info(message string, keysAndValues ...any) {
	l.write(LevelInfo, message, keysAndValues)
}

func (l logger) InfoErr(message string, err error, keysAndValues ...any) {
	l.write(LevelInfo, message, with("error", err, keysAndValues))
}

func (l logger) Debug(message string, keysAndValues ...any) {
	l.write(LevelDebug, message, keysAndValues)
}

func (l logger) DebugErr(message string, err error, keysAndValues ...any) {
	l.write(LevelDebug, message, with("error", err, keysAndValues))
}

func (l logger) Trace(message string, keysAndValues ...any) {
	l.write(LevelTrace, message, keysAndValues)
}

func (l logger) TraceErr(message string, err error, keysAndValues ...any) {
	l.write(LevelTrace, message, with("error", err, keysAndValues))
}

func (l logger) Always(message string, keysAndValues ...any) {
	l.write(LevelWarning, message, keysAndValues)
}

func (l logger) WithValues(keysAndValues ...any) Logger {
	return logger{l.sink.WithValues(keysAndValues...)}
}

func (l logger) WithName(name string) Logger { return logger{l.sink.WithName(name)} }
